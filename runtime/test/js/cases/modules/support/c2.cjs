exports.a=1
