'use strict';

// Date in virtual time. The engine asks the system for the time of day; while the loop uses another clock, Date must
// use it, too. Only functions that depend on the current time are replaced: everything else, the prototype included, is
// the engine's. Contexts of vm have a Date of their own each.

function install(global = globalThis) {
  const { day } = internalBinding('steer');
  const Engine = global.Date;

  // The engine's own constructor has a length of seven, which programs can read.
  const Date = function Date(year, month, date, hours, minutes, seconds, milliseconds) {
    if (new.target === undefined) return new Engine(day()).toString();
    return Reflect.construct(Engine, arguments.length === 0 ? [day()] : arguments, new.target);
  };

  const properties = Object.getOwnPropertyDescriptors(Engine);
  properties.now.value = { now: () => day() }.now;
  Object.defineProperties(Date, properties);
  Object.defineProperty(Engine.prototype, 'constructor', {
    value: Date,
    writable: true,
    configurable: true,
    enumerable: false,
  });
  Object.defineProperty(global, 'Date', { value: Date, writable: true, configurable: true, enumerable: false });
}

module.exports = { install };
