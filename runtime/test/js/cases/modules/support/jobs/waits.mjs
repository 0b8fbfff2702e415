note('waits');
await 0;
note('waited');
