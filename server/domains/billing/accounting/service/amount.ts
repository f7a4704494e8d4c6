/**
 * The unit price without VAT, in minor units, from which the accounting service comes to exactly this grand total: it
 * adds the VAT, rounded half up to a minor unit. Undefined when no price does, as for 0.03 at 20 percent. A price of
 * whole minor units is enough, because the total only grows with it.
 */
export function unitPriceOf(grossMinor: number, rate: number): number | undefined {
  const near = Math.floor((grossMinor * 100) / (100 + rate));
  for (const net of [near - 1, near, near + 1]) {
    const vat = Math.floor((2 * net * rate + 100) / 200);
    if (net > 0 && net + vat === grossMinor) return net;
  }
  return undefined;
}
