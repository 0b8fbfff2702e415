import './d.cjs';
