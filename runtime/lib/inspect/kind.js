'use strict';

// kindOf(object): something that objects of one kind share, whatever their prototypes. The value has no meaning of its
// own; it is compared with those of samples. The engine has a mark on each object.

module.exports = internalBinding('runtime').hidesKinds
  ? require('internal/inspect/kind_by_methods')
  : { kindOf: internalBinding('util').cellType };
