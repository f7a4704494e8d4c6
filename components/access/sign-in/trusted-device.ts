/** Removes secrets of trusted devices that an earlier release stored here; they are in a cookie now. */
export function forgetStoredDevices(): void {
  try {
    window.localStorage.removeItem("trusted-devices");
  } catch {}
}
