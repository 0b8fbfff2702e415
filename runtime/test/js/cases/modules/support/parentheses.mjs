import fs from 'fs';
export const path = 'an import';
export default /* a value */ (
  // in parentheses
  (fs, 'the last one'));
