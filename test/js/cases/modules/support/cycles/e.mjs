import './c.mjs';
