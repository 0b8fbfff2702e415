import './broken2.mjs'; import './broken3.mjs'; await 0;
