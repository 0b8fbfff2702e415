export const named = 'here';
