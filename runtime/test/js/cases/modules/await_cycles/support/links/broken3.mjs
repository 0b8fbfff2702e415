import './broken1.mjs'; let x; let x;
