# BIND's name server, and dig: a zone over UDP, TCP, TLS and HTTPS, a transfer, queries in one packet, clients that go away or do not
# read, reloading under load, and the end under load. Argument: the server's program.
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

PROGRAM = sys.argv[1]
HOSTS = 3000
HERE = os.getcwd()


def check(found, wanted):
    if found != wanted:
        raise AssertionError(f'{found!r}, not {wanted!r}')


def free_port():
    with socket.socket() as tcp, socket.socket(type=socket.SOCK_DGRAM) as udp:
        tcp.bind(('127.0.0.1', 0))
        udp.bind(tcp.getsockname())
        return tcp.getsockname()[1]


PORT, TLS, HTTPS = free_port(), free_port(), free_port()


def configure():
    with open('zone', 'w') as zone:
        zone.write('$TTL 300\n@ SOA ns h 1 60 60 600 60\n@ NS ns\nns A 127.0.0.1\n')
        zone.writelines(f'h{i} A 10.0.{i >> 8}.{i & 255}\n' for i in range(HOSTS))
    with open('named.conf', 'w') as file:
        file.write(f'''
options {{
  directory "{HERE}"; pid-file none; session-keyfile none; recursion no; dnssec-validation no;
  allow-transfer {{ any; }}; minimal-responses yes; listen-on-v6 {{ none; }};
  listen-on port {PORT} {{ 127.0.0.1; }};
  listen-on port {TLS} tls ephemeral {{ 127.0.0.1; }};
  listen-on port {HTTPS} tls ephemeral http default {{ 127.0.0.1; }};
}};
controls {{ }};
zone "example" {{ type primary; file "zone"; }};
''')


def dig(*arguments, port=PORT):
    return subprocess.run(['dig', '@127.0.0.1', '-p', str(port), '+time=10', *arguments], capture_output=True, text=True,
                          timeout=60).stdout.strip()


def query(number):
    name = f'h{number}'.encode()
    return struct.pack('>6H', number, 0, 1, 0, 0, 0) + bytes([len(name)]) + name + b'\x07example\0' + struct.pack('>2H', 1, 1)


def framed(message):
    return struct.pack('>H', len(message)) + message


TRANSFER = struct.pack('>6H', 1, 0, 1, 0, 0, 0) + b'\x07example\0' + struct.pack('>2H', 252, 1)


def is_right(answer):
    number, = struct.unpack('>H', answer[:2])
    return answer.endswith(bytes([10, 0, number >> 8, number & 255]))


def many_queries(count):
    with socket.create_connection(('127.0.0.1', PORT), timeout=60) as sock:
        sender = threading.Thread(target=sock.sendall, args=(b''.join(framed(query(i)) for i in range(count)),))
        sender.start()
        with sock.makefile('rb') as stream:
            answers = [stream.read(struct.unpack('>H', stream.read(2))[0]) for _ in range(count)]
        sender.join()
    check({struct.unpack('>H', answer[:2])[0] for answer in answers if is_right(answer)} == set(range(count)), True)


def many_datagrams(count):
    with socket.socket(type=socket.SOCK_DGRAM) as sock:
        sock.settimeout(60)
        sock.connect(('127.0.0.1', PORT))
        for i in range(count):
            sock.send(query(i))
            check(is_right(sock.recv(4096)), True)


def reset(sock):
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
    sock.close()


def rough_clients():
    chosen = random.Random(1)
    queries = b''.join(framed(query(i)) for i in range(20))
    for i in range(150):
        sock = socket.create_connection(('127.0.0.1', (PORT, TLS, HTTPS)[i % 3]))
        sock.sendall(queries[:chosen.randrange(len(queries))])
        reset(sock) if i % 2 else sock.close()
    stuck = []
    for _ in range(6):
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.connect(('127.0.0.1', PORT))
        sock.sendall(framed(TRANSFER))
        stuck.append(sock)
    check(dig('+tcp', '+short', 'h1.example'), '10.0.0.1')
    for sock in stuck:
        reset(sock)


def under_load(action):
    done = []

    def load():
        while not done:
            try:
                many_queries(500)
            except (OSError, struct.error):
                check(done, ['the server ends'])
    threads = [threading.Thread(target=load) for _ in range(2)]
    for thread in threads:
        thread.start()
    time.sleep(0.3)
    action(done)
    done or done.append('the action is over')
    for thread in threads:
        thread.join()


configure()
log = open('log', 'w+')
server = subprocess.Popen([PROGRAM, '-g', '-n', '2', '-c', 'named.conf'], stderr=log)


def wait_for(condition):
    end = time.monotonic() + 60
    while not condition():
        check((server.poll(), time.monotonic() < end), (None, True))
        time.sleep(0.05)


def descriptors():
    return len(os.listdir(f'/proc/{server.pid}/fd'))


def lines(text):
    with open('log') as file:
        return file.read().count(text)


def reload(_):
    for i in range(3):
        server.send_signal(signal.SIGHUP)
        wait_for(lambda: lines('reloading zones succeeded') == i + 1)


def end(done):
    done.append('the server ends')
    server.terminate()
    check(server.wait(60), 0)


try:
    wait_for(lambda: lines(' running\n') > 0)
    here = os.path.realpath(os.environ['CLIENTS_LIB']) + '/'
    with open(f'/proc/{server.pid}/maps') as maps:
        check([line.split()[-1] for line in maps if 'libuv.so' in line and here not in line], [])
    before = descriptors()
    check([dig(*flags, '+short', 'h77.example', port=port)
           for flags, port in (([], PORT), (['+tcp'], PORT), (['+tls'], TLS), (['+https'], HTTPS), (['+https-get'], HTTPS))],
          ['10.0.0.77'] * 5)
    transfer = dig('example', 'AXFR', '+noall', '+answer').splitlines()
    check((len(transfer), len(set(transfer))), (HOSTS + 4, HOSTS + 3))
    many_queries(HOSTS)
    many_datagrams(HOSTS)
    rough_clients()
    wait_for(lambda: descriptors() <= before)
    under_load(reload)
    under_load(end)
    print(f'{HOSTS} names over UDP, TCP, TLS and HTTPS, a transfer, rough clients, reloading and ending under load')
except BaseException:
    log.seek(0)
    sys.stderr.write(''.join(log.readlines()[-20:]))
    server.kill()
    raise
