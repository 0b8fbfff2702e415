exports.early = 1; const b = require("./cycle_b.js"); exports.late = 2; console.log("a sees", b);
