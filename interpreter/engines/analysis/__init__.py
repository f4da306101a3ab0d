"""What is known of a program before code is written for it, and a program that finds out once what loops ask for."""
