'use strict';
// cinovo-logger-file: stop() while the file is rolled: what was stopped is closed again, which the stream refuses, or the new file and its
// timer stay, and the program does not end.

const path = require('path');
const { bugAndEnd, folder, isFixed } = require('../driver.js');
const create = require('cinovo-logger-file-0.3.4');

const base = folder();
create(true, true, true, true, base, 'test', '.log', 10, 1000, 10, (error, endpoint) => {
  if (error) throw error;
  const stop = () => endpoint.stop((failure) => {
    if (failure) throw failure;
    const check = setTimeout(() => {
      if (endpoint.fileTimer?.hasRef() && !endpoint.fileTimer._destroyed) bugAndEnd(`${path.basename(base)}: it stopped, and its timer runs`);
    }, 100);
    check.unref();
    setTimeout(() => {}, 100);
  });
  endpoint.log({ level: 'info', date: new Date(), message: 'more than ten bytes' }, (failure) => {
    if (failure?.code === 'ERR_STREAM_ALREADY_FINISHED') bugAndEnd('a file that was closed is closed again');
    if (failure) throw failure;
    if (isFixed) stop();
  });
  if (!isFixed) setTimeout(stop, 20);
});
