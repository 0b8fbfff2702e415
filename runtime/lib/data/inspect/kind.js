'use strict';

// kindOf(object): something that objects of one kind share, whatever their prototypes. It means nothing by itself, and
// is compared with that of samples. The engine has a mark on each object.

module.exports = internalBinding('runtime').hidesKinds
  ? require('internal/inspect/kind_by_methods')
  : { kindOf: internalBinding('util').cellType };
