import { trpcRoute } from "@/server/transports/trpc/web";

export { trpcRoute as GET, trpcRoute as POST };
