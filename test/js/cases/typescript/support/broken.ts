let x: = 5;
