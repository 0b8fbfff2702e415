note('fails');
throw 'failed';
