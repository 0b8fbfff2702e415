'use strict';

// Whether this process is a worker of a cluster: known before anything of the cluster is loaded.

module.exports = { worker: false, id: undefined };
