/** W3C well-known URL that password managers open to change a password. */
export function GET(): Response {
  return new Response(null, { status: 302, headers: { location: "/settings/security#password" } });
}
