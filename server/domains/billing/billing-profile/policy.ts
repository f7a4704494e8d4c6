/** Validates the check digits of a tax number (VKN, 10 digits) or national ID number (TCKN, 11 digits). */
export function isTaxNumber(text: string): boolean {
  if (!/^\d+$/.test(text)) return false;
  const digits = Array.from(text, Number);
  return isVkn(digits) || isTckn(digits);
}

function isVkn(digits: number[]): boolean {
  if (digits.length !== 10) return false;
  const weightedDigits = digits.slice(0, 9).map((digit, index) => {
    const shifted = (digit + 9 - index) % 10;
    return shifted === 0 ? 0 : (shifted * 2 ** (9 - index)) % 9 || 9;
  });
  return (10 - (sum(weightedDigits) % 10)) % 10 === digits[9];
}

function isTckn(digits: number[]): boolean {
  if (digits.length !== 11 || digits[0] === 0) return false;
  const digitsAt = (isOddPlace: boolean) =>
    digits.slice(0, 9).filter((_, index) => (index % 2 === 0) === isOddPlace);
  const checkDigit = (sum(digitsAt(true)) * 7 - sum(digitsAt(false)) + 100) % 10;
  return checkDigit === digits[9] && sum(digits.slice(0, 10)) % 10 === digits[10];
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
