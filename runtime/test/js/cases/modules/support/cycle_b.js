const a = require("./cycle_a.js"); exports.saw = { ...a }; console.log("b sees", a.early, a.late);
