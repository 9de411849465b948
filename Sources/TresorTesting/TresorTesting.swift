// TresorTesting
