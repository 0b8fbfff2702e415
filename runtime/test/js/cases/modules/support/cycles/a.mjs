import './b.cjs';
