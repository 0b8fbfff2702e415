'use strict';

// Where the hottest paths tell who observes the loop what they run (internal/trace/install): null while nobody does.
//   tick(callback): the tick that runs now.
//   event(heard): what hears an event, a listener or an array of them.

module.exports = { tick: null, event: null };
