'use strict';

// Whether this process is a worker of a cluster: decided before any part of the cluster is loaded.

module.exports = { worker: false, id: undefined };
