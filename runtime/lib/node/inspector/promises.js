'use strict';

// node:inspector/promises: a session whose commands return promises.

const inspector = require('inspector');

class Session extends inspector.Session {
  async post(method, params) {
    const answer = Promise.withResolvers();
    super.post(method, params, (failure, result) => {
      if (failure) answer.reject(failure);
      else answer.resolve(result);
    });
    return answer.promise;
  }
}

module.exports = { ...inspector, Session };
