// Decorated controllers with injected services, pipes, guards and interceptors.
require('reflect-metadata');
const { NestFactory } = require('@nestjs/core');
const { Body, Controller, Get, HttpException, Injectable, Module, Param, ParseIntPipe, Post, UseGuards, UseInterceptors } = require('@nestjs/common');
const { map } = require('rxjs');

const onClass = (decorators, target) => Reflect.decorate(decorators, target);
const onMethod = (target, name, decorators) =>
  Object.defineProperty(target, name, Reflect.decorate(decorators, target, name, Object.getOwnPropertyDescriptor(target, name)));

const Service = onClass([Injectable()], class Service { find(id) { return { id, from: 'service' }; } });
let Main = class Main {
  constructor(service) { this.service = service; }
  get(id) { return this.service.find(id); }
  post(body) { return { body }; }
  refuse() { throw new HttpException('teapot', 418); }
};
const wrap = { intercept: (context, next) => next.handle().pipe(map((data) => ({ wrapped: data }))) };
const guard = { canActivate: (context) => (console.log('guard', context.getHandler().name), true) };
onMethod(Main.prototype, 'get', [Get('/thing/:id'), (target, name) => Param('id', ParseIntPipe)(target, name, 0)]);
onMethod(Main.prototype, 'post', [Post('/thing'), (target, name) => Body()(target, name, 0), UseInterceptors(wrap)]);
onMethod(Main.prototype, 'refuse', [Get('/refuse'), UseGuards(guard)]);
Reflect.defineMetadata('design:paramtypes', [Service], Main);
Main = onClass([Controller()], Main);
const App = onClass([Module({ controllers: [Main], providers: [Service] })], class App {});

(async () => {
  const app = await NestFactory.create(App, { logger: false });
  await app.listen(0);
  const base = `http://localhost:${app.getHttpServer().address().port}`;
  for (const [path, options] of [['/thing/5'], ['/thing/x'], ['/refuse'], ['/nowhere'],
    ['/thing', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' }]]) {
    const response = await fetch(base + path, options);
    console.log(path, response.status, await response.json());
  }
  await app.close();
})();
