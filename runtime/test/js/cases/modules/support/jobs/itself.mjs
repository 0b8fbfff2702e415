note('itself');
import('./itself.mjs').then(() => note('there'));
