// `node scripts/report-wire.mjs HOST PORT VERSION`: forwards connections to a MongoDB server that reports a wire
// version too old for the driver, and reports VERSION instead. For experiments only. Prints the port it listens on.
import net from 'node:net';

const [host, port, version] = process.argv.slice(2);
const FIELD = Buffer.from('\x10maxWireVersion\0', 'latin1');
/** A greeting is one small message; longer ones are forwarded unchanged. */
const MAX_GREETING = 4096;

const server = net.createServer((client) => {
  const behind = net.connect(Number(port), host);
  client.pipe(behind);
  behind.on('data', (bytes) => {
    const at = bytes.length < MAX_GREETING ? bytes.indexOf(FIELD) : -1;
    if (at >= 0) bytes.writeInt32LE(Number(version), at + FIELD.length);
    if (!client.write(bytes)) behind.pause();
  });
  client.on('drain', () => behind.resume());
  behind.on('end', () => client.end());
  behind.on('error', () => client.destroy());
  client.on('error', () => behind.destroy());
  client.on('close', () => behind.destroy());
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
