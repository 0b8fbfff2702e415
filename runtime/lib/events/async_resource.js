'use strict';

// EventEmitterAsyncResource: an emitter whose listeners run in the asynchronous context in which the emitter was made.

const EventEmitter = require('events');
const { AsyncResource } = require('async_hooks');
const { codes } = require('internal/errors');
const { validateString } = require('internal/validators');

class EventEmitterReferencingAsyncResource extends AsyncResource {
  #emitter;

  constructor(emitter, type, options) {
    super(type, options);
    this.#emitter = emitter;
  }

  get eventEmitter() {
    if (!(#emitter in this)) throw new codes.ERR_INVALID_THIS('EventEmitterReferencingAsyncResource');
    return this.#emitter;
  }
}

class EventEmitterAsyncResource extends EventEmitter {
  #resource;

  constructor(options = undefined) {
    const byName = typeof options === 'string';
    if (!byName && new.target === EventEmitterAsyncResource) validateString(options?.name, 'options.name');
    super(byName ? undefined : options);
    const name = byName ? options : options?.name || new.target.name;
    this.#resource = new EventEmitterReferencingAsyncResource(this, name, byName ? undefined : options);
  }

  static #of(emitter) {
    if (!(typeof emitter === 'object' && #resource in emitter)) {
      throw new TypeError('Cannot read private member #asyncResource from an object whose class did not declare it');
    }
    return emitter.#resource;
  }

  emit(event, ...args) {
    return EventEmitterAsyncResource.#of(this).runInAsyncScope(super.emit, this, event, ...args);
  }

  emitDestroy() {
    EventEmitterAsyncResource.#of(this).emitDestroy();
  }

  get asyncId() {
    return EventEmitterAsyncResource.#of(this).asyncId();
  }

  get triggerAsyncId() {
    return EventEmitterAsyncResource.#of(this).triggerAsyncId();
  }

  get asyncResource() {
    return EventEmitterAsyncResource.#of(this);
  }
}

module.exports = { EventEmitterAsyncResource };
