undefined.foo
