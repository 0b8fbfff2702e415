note('leaf');
export const leaf = 1;
