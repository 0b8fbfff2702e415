// A text is evaluated.
setTimeout('console.log("evaluated", typeof setTimeout)', 0);
