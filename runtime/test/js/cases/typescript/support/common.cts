const numbers: Array<number> = [1, 2, 3];
exports.total = (numbers satisfies number[]).reduce((a: number, b: number) => a + b, 0);
exports.here = __filename.slice(-10);
