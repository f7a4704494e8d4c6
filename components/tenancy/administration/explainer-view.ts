import { parseAsString } from "nuqs/server";

/** Whose sign-in is explained, as the address says it; the same on the server and in the browser. */
export const explainerParsers = { email: parseAsString.withDefault(""), host: parseAsString.withDefault("") };
