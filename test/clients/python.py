# Python's asyncio on uvloop: TCP, TLS, Unix sockets, datagrams, programs, signals, threads; clients that go away or do not read,
# and a lack of descriptors. Arguments: a certificate, its key.
import asyncio
import os
import random
import resource
import signal
import socket
import ssl
import struct
import sys
import threading

import uvloop

CERTIFICATE, KEY = sys.argv[1:]


def check(found, wanted):
    if found != wanted:
        raise AssertionError(f'{found!r}, not {wanted!r}')


def descriptors():
    return len(os.listdir('/proc/self/fd'))


async def until(condition):
    while not condition():
        await asyncio.sleep(0.01)


async def echo(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except (OSError, ssl.SSLError):
        pass
    writer.close()


async def echoed(count, connection):
    reader, writer = await connection
    writer.write(b'x' * count)
    got = 0
    while got < count and (data := await reader.read(65536)):
        got += len(data)
    writer.close()
    return got


def reset(sock):
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
    sock.close()


async def rough_clients(port, tls_port):
    chosen = random.Random(1)
    for i in range(100):
        sock = socket.create_connection(('127.0.0.1', tls_port if i % 2 else port))
        sock.sendall(chosen.randbytes(chosen.randrange(3000)))
        reset(sock) if i % 3 else sock.close()
        await asyncio.sleep(0)
    full = []
    for _ in range(5):
        sock = socket.create_connection(('127.0.0.1', port))
        sock.setblocking(False)
        full.append(sock)
        try:
            for _ in range(200):
                sock.send(bytes(65536))
        except BlockingIOError:
            pass
    check(await echoed(100_000, asyncio.open_connection('127.0.0.1', port)), 100_000)
    for sock in full:
        reset(sock)


async def streams():
    server_context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server_context.load_cert_chain(CERTIFICATE, KEY)
    client_context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client_context.check_hostname = False
    client_context.verify_mode = ssl.CERT_NONE
    plain = await asyncio.start_server(echo, '127.0.0.1', 0)
    secure = await asyncio.start_server(echo, '127.0.0.1', 0, ssl=server_context)
    local = await asyncio.start_unix_server(echo, 'socket')
    port, tls_port = (server.sockets[0].getsockname()[1] for server in (plain, secure))
    check(await asyncio.gather(*[echoed(200_000, asyncio.open_connection('127.0.0.1', port)) for _ in range(50)]), [200_000] * 50)
    check(await asyncio.gather(*[echoed(100_000, asyncio.open_connection('127.0.0.1', tls_port, ssl=client_context)) for _ in range(20)]),
          [100_000] * 20)
    check(await asyncio.gather(*[echoed(100_000, asyncio.open_unix_connection('socket')) for _ in range(20)]), [100_000] * 20)
    await rough_clients(port, tls_port)
    await few_descriptors(port)
    for server in (plain, secure, local):
        server.close()
        await server.wait_closed()


# Ten connections need 20 descriptors. Each is served or refused, and then all is as before.
async def few_descriptors(port):
    async def one():
        try:
            return await echoed(1000, asyncio.open_connection('127.0.0.1', port))
        except OSError:
            return 'refused'
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    waiting = [asyncio.create_task(asyncio.sleep(0))]
    resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors() + 12, limits[1]))
    waiting += [asyncio.create_task(one()) for _ in range(10)]
    await asyncio.wait(waiting, timeout=1)
    resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    for task in waiting[1:]:
        task.cancel()
    for result in await asyncio.gather(*waiting[1:], return_exceptions=True):
        check(result in (1000, 0, 'refused') or isinstance(result, asyncio.CancelledError), True)
    check(await echoed(1000, asyncio.open_connection('127.0.0.1', port)), 1000)


async def datagrams():
    class Echo(asyncio.DatagramProtocol):
        def connection_made(self, transport):
            self.transport = transport
            self.got = 0

        def datagram_received(self, data, address):
            self.got += 1
            if address[1] != server_port:
                self.transport.sendto(data, address)
    loop = asyncio.get_running_loop()
    server, at_server = await loop.create_datagram_endpoint(Echo, local_addr=('127.0.0.1', 0))
    server_port = server.get_extra_info('sockname')[1]
    client, at_client = await loop.create_datagram_endpoint(Echo, remote_addr=('127.0.0.1', server_port))
    for i in range(200):
        client.sendto(b'd' * (i + 1))
        await until(lambda: at_client.got == i + 1)
    client.close()
    server.close()


async def programs():
    async def one(i):
        child = await asyncio.create_subprocess_exec('sh', '-c', f'cat; echo "$WORD" >&2; exit {i}', stdin=-1, stdout=-1, stderr=-1,
                                                     preexec_fn=lambda: os.putenv('WORD', f'in child {i}'))
        out, err = await child.communicate(b'y' * 100_000)
        check((len(out), err, child.returncode), (100_000, f'in child {i}\n'.encode(), i))
    await asyncio.gather(*[one(i) for i in range(20)])
    child = await asyncio.create_subprocess_exec('sleep', '100')
    child.terminate()
    check(await child.wait(), -signal.SIGTERM)
    try:
        await asyncio.create_subprocess_exec('/no/such/program', preexec_fn=lambda: None)
        check('started', 'not found')
    except FileNotFoundError:
        pass


async def signals_and_threads():
    loop = asyncio.get_running_loop()
    calls = []
    loop.add_signal_handler(signal.SIGUSR1, lambda: calls.append('signal'))
    for i in range(20):
        os.kill(os.getpid(), signal.SIGUSR1)
        await until(lambda: len(calls) == i + 1)
    loop.remove_signal_handler(signal.SIGUSR1)
    check(sum(await asyncio.gather(*[loop.run_in_executor(None, lambda i=i: i) for i in range(200)])), 19900)
    threads = [threading.Thread(target=lambda: [loop.call_soon_threadsafe(calls.append, 'thread') for _ in range(500)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    await until(lambda: calls.count('thread') == 2000)
    for thread in threads:
        thread.join()


async def main():
    with open('/proc/self/maps') as maps:
        libraries = {line.split()[-1] for line in maps if 'libuv.so' in line}
    check(libraries != set() and all(name.startswith(os.path.realpath(os.environ['CLIENTS_LIB']) + '/') for name in libraries), True)
    await programs()
    await signals_and_threads()
    before = descriptors()
    await datagrams()
    await streams()
    await asyncio.wait_for(until(lambda: descriptors() <= before), 30)


uvloop.install()
asyncio.run(main())
for _ in range(50):
    asyncio.run(asyncio.sleep(0))
print('TCP, TLS, datagrams, programs, signals, threads, rough clients, few descriptors, 51 loops')
