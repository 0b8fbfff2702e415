// Children with a channel that both sides count themselves on, lines, pipes, time limits.
import { execa, execaNode, getEachMessage, getOneMessage, sendMessage } from 'execa';

if (process.argv[2] === 'child') {
  await sendMessage({ got: await getOneMessage() });
  for await (const message of getEachMessage()) {
    if (message === 'stop') break;
    await sendMessage(message * 2);
  }
} else {
  const child = execaNode(import.meta.filename, ['child'], { ipc: true });
  for (const message of ['hello', 4, 5]) {
    await child.sendMessage(message);
    console.log(await child.getOneMessage());
  }
  await child.sendMessage('stop');
  const { exitCode, ipcOutput } = await child;
  console.log(exitCode, ipcOutput);
  console.log((await execa({ lines: true })`printf ${'a\nb'}`).stdout);
  await execa`false`.catch((error) => console.log(error.shortMessage, error.exitCode));
  await execa('sleep', ['10'], { timeout: 50 }).catch((error) => console.log(error.timedOut, error.signal));
  console.log((await execa({ input: 'piped' })`cat`.pipe`tr a-z A-Z`).stdout);
}
