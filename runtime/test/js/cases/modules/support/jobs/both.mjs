import './above.mjs';
import './leaf.mjs';
note('both');
