import './leaf.mjs';
note('above');
