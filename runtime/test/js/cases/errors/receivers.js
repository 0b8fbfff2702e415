'use strict';

// Whom functions were called on, as the lines of a stack and CallSites tell it: 60 forms of calls.
const line = () =>
  new Error('x').stack
    .split('\n')
    .slice(2, 3)
    .map((l) => l.replace(/\(.*[\\/]/, '(').replace(/at \/.*[\\/]/, 'at '))[0];
function show(name, fn) {
  let r;
  try {
    r = fn();
  } catch (e) {
    r = e;
  }
  console.log(name, '|', r);
}
class A {
  constructor() {
    this.r = line();
  }
  k() {
    return line();
  }
  get g() {
    return line();
  }
  set s(v) {
    this.t = line();
  }
  static st() {
    return line();
  }
  #p() {
    return line();
  }
  q() {
    return this.#p();
  }
  arrow = () => line();
  ['comp' + 1]() {
    return line();
  }
  *gen() {
    yield line();
  }
  async as() {
    return line();
  }
}
class B extends A {
  constructor() {
    super();
    this.b = line();
  }
  k() {
    return super.k();
  }
}
class C extends A {}
const o = {
  m() {
    return line();
  },
  f: function () {
    return line();
  },
  n: function named() {
    return line();
  },
  a: () => line(),
  get x() {
    return line();
  },
  [Symbol('sy')]() {
    return line();
  },
};
show('new A', () => new A().r);
show('method', () => new A().k());
show('getter', () => new A().g);
show('setter', () => {
  const a = new A();
  a.s = 1;
  return a.t;
});
show('static', () => A.st());
show('private', () => new A().q());
show('arrow field', () => new A().arrow());
show('computed', () => new A().comp1());
show('generator', () => new A().gen().next().value);
show('derived new base', () => new B().r);
show('derived own', () => new B().b);
show('super method', () => new B().k());
show('implicit', () => new C().r);
show('implicit method', () => new C().k());
show('object method', () => o.m());
show('object function', () => o.f());
show('named', () => o.n());
show('object arrow', () => o.a());
show('object getter', () => o.x);
show('symbol method', () => o[Object.getOwnPropertySymbols(o)[0]]());

show('tagged', () =>
  ({
    get [Symbol.toStringTag]() {
      return 'T';
    },
    m() {
      return line();
    },
  }).m(),
);
show('tag data', () =>
  ({
    [Symbol.toStringTag]: 'T',
    m() {
      return line();
    },
  }).m(),
);
show('borrowed', () => A.prototype.k.call(o));
show('borrowed string', () => A.prototype.k.call('s'));
show('borrowed number', () =>
  function f() {
    return line();
  }.call(5),
);
show('strict number', () =>
  function f() {
    'use strict';
    return line();
  }.call(5),
);
show('null this', () => A.prototype.k.call(null));
show('array this', () => A.prototype.k.call([]));
show('function this', () => A.prototype.k.call(function ff() {}));
show('class this', () => A.prototype.k.call(B));
show('proxy this', () => A.prototype.k.call(new Proxy({}, {})));
show('global this', () =>
  (function f() {
    return line();
  })(),
);
show('sloppy top', () => {
  function top() {
    return line();
  }
  return top();
});
show('alias', () => {
  const q = { one: o.n };
  return q.one();
});
show('two names', () => {
  const q = { one: o.n, two: o.n };
  return q.one();
});
show(
  'map this',
  () =>
    [1].map(function each() {
      return line();
    }, o)[0],
);
show('forEach', () => {
  let r;
  [1].forEach(() => {
    r = line();
  });
  return r;
});
show('prototype fn', () => {
  function P() {}
  P.prototype.go = function () {
    return line();
  };
  return new P().go();
});
show('old ctor', () => {
  function P() {
    this.r = line();
  }
  return new P().r;
});
show(
  'anon ctor',
  () =>
    new (class {
      constructor() {
        this.r = line();
      }
    })().r,
);
show(
  'anon fn ctor',
  () =>
    new (function () {
      this.r = line();
    })().r,
);
show('anon class method', () =>
  new (class {
    m() {
      return line();
    }
  })().m(),
);
show('bound', () => o.m.bind(o)());
show('bound alias', () => ({ z: o.m.bind(o) }).z());
show('reflect', () => Reflect.apply(o.m, new A(), []));
show('reflect construct', () => Reflect.construct(A, [], B).r);
show('renamed', () => {
  const q = {
    m() {
      return line();
    },
  };
  Object.defineProperty(q.m, 'name', { value: 'other' });
  return q.m();
});
show('A.m name', () => {
  const q = {
    m: Object.defineProperty(
      function () {
        return line();
      },
      'name',
      { value: 'Object.m' },
    ),
  };
  return q.m();
});

show('map', () => {
  const d = new Map();
  d.m = o.m;
  return d.m();
});
show('toJSON', () =>
  JSON.parse(
    JSON.stringify({
      toJSON() {
        return line();
      },
    }),
  ),
);
show(
  'toString',
  () =>
    `${{
      toString() {
        return line();
      },
    }}`,
);
show(
  'valueOf',
  () =>
    +{
      valueOf() {
        this.r = line();
        return 1;
      },
    },
);
show('sort', () => {
  let r;
  [2, 1].sort(function cmp() {
    r = line();
    return 0;
  });
  return r;
});
show('replace', () =>
  'a'.replace('a', function rep() {
    return line();
  }),
);
Error.prepareStackTrace = (e, s) => s;
const site = () => new Error('y').stack[1];
const tell = (s) =>
  [s.getTypeName(), s.getMethodName(), s.getFunctionName(), s.isToplevel(), s.isConstructor()].join(',');
class D {
  m() {
    return tell(site());
  }
  static s() {
    return tell(site());
  }
  constructor() {
    this.r = tell(site());
  }
  get g() {
    return tell(site());
  }
}
show('cs method', () => new D().m());
show('cs static', () => D.s());
show('cs new', () => new D().r);
show('cs getter', () => new D().g);
show('cs plain', () =>
  (function pl() {
    return tell(site());
  })(),
);
show('cs object', () =>
  ({
    mm() {
      return tell(site());
    },
  }).mm(),
);
show('cs alias', () => {
  const f = function na() {
    return tell(site());
  };
  return { al: f }.al();
});
