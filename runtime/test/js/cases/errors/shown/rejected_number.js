Promise.reject(42);
