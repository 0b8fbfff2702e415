import text from './text.txt' with { type: 'text' };
console.log(JSON.stringify(text));
