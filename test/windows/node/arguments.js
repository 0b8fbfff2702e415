console.log(JSON.stringify(process.argv.slice(2)));
process.exitCode = 5;
