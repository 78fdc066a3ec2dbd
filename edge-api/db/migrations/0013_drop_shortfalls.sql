-- Safe with the deployed Worker: what is missing is derived (core.ts), and nothing has read or written this since 29 November.
DROP TABLE `shortfalls`;
