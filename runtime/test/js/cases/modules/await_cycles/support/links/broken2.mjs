import './broken1.mjs'; import './leaf.mjs'
