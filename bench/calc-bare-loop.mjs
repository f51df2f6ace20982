// The minimum work of a batch: split lines, compute both figures with the decimal library, print them as shown.
import Big from 'big.js';

const D = Big();
D.DP = 40;
D.RM = 1;

process.stdin.setEncoding('utf8');
let rest = '';
let first = true;
for await (const chunk of process.stdin) {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  let out = '';
  for (const line of lines) {
    if (first) {
      first = false;
      continue;
    }
    const [amount, water, dose, unit] = line.split(',');
    const a = new D(amount);
    const w = new D(water);
    const d = unit === 'mcg' ? new D(dose).div(1000) : new D(dose);
    const concentration = a.div(w);
    const volume = d.times(w).div(a);
    out += `${line},${Number(concentration)},${Number(volume)},${concentration.toFixed(2)},${volume.toFixed(3)}\n`;
  }
  if (!process.stdout.write(out)) await new Promise((resolve) => process.stdout.once('drain', resolve));
}
