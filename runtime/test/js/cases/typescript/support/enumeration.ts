enum Colour { Red, Green }
console.log(Colour.Red);
