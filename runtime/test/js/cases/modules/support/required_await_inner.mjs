export const value = 1;
await value;
