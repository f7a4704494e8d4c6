import { serveTrpcRoute } from "@/server/transports/trpc/web";

export { serveTrpcRoute as GET, serveTrpcRoute as POST };
