import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { sessionOptions } from "@/server/transports/session/options";

/** next-auth, off /api/auth: the contract owns that prefix. */
function session(request: NextRequest, context: RouteContext<"/session/[...nextauth]">) {
  return NextAuth(request as never, context as never, sessionOptions());
}

export { session as GET, session as POST };
